// Colours and weights of the terminal by meaning. Knows no stream: a caller asks once whether colours are wanted.
import { styleText } from "node:util";

type Paint = (text: string) => string;

export interface Style {
  isPlain: boolean;
  heading: Paint;
  bold: Paint;
  italic: Paint;
  strike: Paint;
  code: Paint;
  link: Paint;
  quiet: Paint;
  good: Paint;
  bad: Paint;
  warning: Paint;
  prompt: Paint;
}

export function createStyle(isColoured: boolean): Style {
  const paint = (format: Parameters<typeof styleText>[0]): Paint =>
    isColoured
      ? (text) => (text === "" ? "" : styleText(format, text, { validateStream: false }))
      : (text) => text;
  return {
    isPlain: !isColoured,
    heading: paint(["bold", "underline"]),
    bold: paint("bold"),
    italic: paint("italic"),
    strike: paint("strikethrough"),
    code: paint("cyan"),
    link: paint(["blue", "underline"]),
    quiet: paint("dim"),
    good: paint("green"),
    bad: paint("red"),
    warning: paint("yellow"),
    prompt: paint(["bold", "green"]),
  };
}

export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}

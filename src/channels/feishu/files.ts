// Files for Feishu: uploaded first, then sent by the key of the upload.
import { basename, extname } from "node:path";
import * as z from "zod";
import { readMedia } from "../platform-api.ts";
import type { FeishuApi } from "./api.ts";

export interface FileContent {
  msg_type: "image" | "file" | "audio" | "media";
  content: string;
}

const largestMegabytes = 30;
/** What Feishu takes for an image, and how it names other files. */
const images = [".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"];
const kinds: Record<string, string> = {
  ".opus": "opus",
  ".mp4": "mp4",
  ".pdf": "pdf",
  ".doc": "doc",
  ".docx": "doc",
  ".xls": "xls",
  ".xlsx": "xls",
  ".ppt": "ppt",
  ".pptx": "ppt",
};

export async function uploadFile(api: FeishuApi, path: string): Promise<FileContent> {
  const ending = extname(path).toLowerCase();
  const blob = await readMedia(path, "Feishu", largestMegabytes);
  const form = new FormData();
  if (images.includes(ending)) {
    form.set("image_type", "message");
    form.set("image", blob, basename(path));
    const answer = await api.call({ method: "POST", path: "/open-apis/im/v1/images", form });
    const { data } = z.object({ data: z.object({ image_key: z.string() }) }).parse(answer);
    return { msg_type: "image", content: JSON.stringify(data) };
  }
  const kind = kinds[ending] ?? "stream";
  form.set("file_type", kind);
  form.set("file_name", basename(path));
  form.set("file", blob, basename(path));
  const answer = await api.call({ method: "POST", path: "/open-apis/im/v1/files", form });
  const { data } = z.object({ data: z.object({ file_key: z.string() }) }).parse(answer);
  const msg_type = kind === "opus" ? "audio" : kind === "mp4" ? "media" : "file";
  return { msg_type, content: JSON.stringify(data) };
}

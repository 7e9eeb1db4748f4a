// Reads an answer aloud with the browser's own voice.
import { Square, Volume2 } from "lucide-react";
import { useEffect, useState } from "react";
import { usePreferences, useWords } from "../../../app/preferences.tsx";
import { IconButton } from "../../../components/button.tsx";
import { toSpeech } from "../composer/speech.ts";

export function ReadAloudButton({ text }: { text: string }) {
  const words = useWords().chat;
  const { language } = usePreferences();
  const [isSpeaking, setIsSpeaking] = useState(false);
  useEffect(() => (isSpeaking ? () => speechSynthesis.cancel() : undefined), [isSpeaking]);
  const speak = () => {
    speechSynthesis.cancel();
    const { pieces, language: spoken } = toSpeech(text);
    const last = pieces.length - 1;
    for (const [index, piece] of pieces.entries()) {
      const utterance = new SpeechSynthesisUtterance(piece);
      utterance.lang = spoken ?? language;
      const end = () => setIsSpeaking(false);
      if (index === last) utterance.addEventListener("end", end);
      utterance.addEventListener("error", end);
      speechSynthesis.speak(utterance);
    }
    setIsSpeaking(pieces.length > 0);
  };
  if (typeof speechSynthesis === "undefined") return null;
  return (
    <IconButton
      label={isSpeaking ? words.stopReading : words.readAloud}
      icon={isSpeaking ? Square : Volume2}
      onClick={() => (isSpeaking ? setIsSpeaking(false) : speak())}
    />
  );
}

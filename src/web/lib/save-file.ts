import { seconds } from '#core/time.ts';

/** Some browsers start to read only after the click handler has returned. */
const READ_BY_THEN_MS = seconds(10);

/** Saves a text as a file in the browser's downloads. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_BY_THEN_MS);
}

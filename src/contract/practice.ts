/** A program that plays a part of the outside world, and where it can be told what to do. */
export interface PracticePage {
  name: string;
  address: string;
}

/** As the server is told of them, and tells the pages. */
export function practicePage(entry: string): PracticePage | null {
  const [, name = '', address = ''] = /^([^=]+)=(https?:\/\/.+)$/.exec(entry.trim()) ?? [];
  return address === '' ? null : { name, address };
}

/** Whom each program plays, by what its control page is called. */
const PLAYED = new Map([
  ['Ad platform', 'Meta'],
  ['Status page', 'Meta'],
  ['Billing', 'Stripe'],
  ['Mailbox', 'email'],
]);

/** 'Meta, email and Stripe are played by programs on this machine.' */
export function practiceWords(controlPages: readonly string[]): string {
  const played = [...new Set(controlPages.map((name) => PLAYED.get(name) ?? name))];
  const last = played.at(-1) ?? '';
  if (played.length === 1) return `${last} is played by a program on this machine.`;
  return `${played.slice(0, -1).join(', ')} and ${last} are played by programs on this machine.`;
}

/** Stand in the landing page as it is built; the server puts in what they are, or leaves the banner out. */
export const PRACTICE_PLACES = {
  label: 'Practice mode',
  words: 'PRACTICE_WORDS',
  page: { name: 'PRACTICE_NAME', address: 'PRACTICE_ADDRESS' },
} as const;

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

const PLATFORM_TOKEN = /EAAB[A-Za-z0-9_-]{8,}/g;

/**
 * Finds secrets and platform tokens in a text. @returns them, shortened
 * @param sent text from the client itself, which is no secret to that client
 */
export function secretsIn(text: string, secrets: Iterable<string>, sent = ''): string[] {
  const found = [...secrets].filter((secret) => secret !== '' && text.includes(secret));
  const tokens = text.match(PLATFORM_TOKEN) ?? [];
  return [...new Set([...found, ...tokens])]
    .filter((secret) => !sent.includes(secret))
    .map((secret) => `${secret.slice(0, 6)}…`);
}

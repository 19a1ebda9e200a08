import { SIMULATED_APP } from '../outside/simulators.ts';
import { SIMULATED_STRIPE } from '../outside/stripe.ts';

export const FUZZ_ENCRYPTION_KEY = 'fuzz-encryption-key-0123456789abcdefghij';

const FIXED = [
  SIMULATED_APP.META_APP_SECRET,
  SIMULATED_STRIPE.STRIPE_SECRET_KEY,
  SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET,
  FUZZ_ENCRYPTION_KEY,
];
const PLATFORM_TOKEN = /EAAB[A-Za-z0-9]{8,}/;
/** As long as a session's token. */
const TOKEN_LIKE = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** What must never be told to anybody: the keys of the product, the platform's tokens, and every session there ever was. */
export class Secrets {
  readonly #tokens = new Set<string>();

  add(token: string): void {
    this.#tokens.add(token);
  }

  /** The secrets in a text, by their kind. What the request itself had said is not told by the answer. */
  foundIn(text: string, said = ''): string[] {
    const found = FIXED.filter((secret) => text.includes(secret) && !said.includes(secret)).map(
      (secret) => `the secret ${secret.slice(0, 8)}…`,
    );
    const platform = PLATFORM_TOKEN.exec(text)?.[0];
    if (platform !== undefined && !said.includes(platform)) found.push('a platform token');
    for (const [word] of text.matchAll(TOKEN_LIKE)) {
      if (this.#tokens.has(word) && !said.includes(word)) found.push('the token of a session');
    }
    return found;
  }
}

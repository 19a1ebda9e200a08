import { LEVEL_WORDS } from '#core/words.ts';
import type { ShownStatus } from '../api/queries.ts';

export const UNREACHABLE = 'SmartPause cannot be reached';

/** The status in one line. A status that our own server did not send says nothing about Meta. */
export function statusWords({ status, isUnreachable }: ShownStatus): string {
  return isUnreachable === true ? UNREACHABLE : `Meta ad services: ${LEVEL_WORDS[status]}`;
}

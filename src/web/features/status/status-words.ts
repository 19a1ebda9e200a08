import { LEVEL_WORDS } from '#core/labels.ts';
import type { ShownStatus } from './api.ts';

export const UNREACHABLE = 'Can’t reach SmartPause';

/** The status in one line. A status that our own server did not send says nothing about Meta. */
export function statusText({ status, isUnreachable }: ShownStatus): string {
  return isUnreachable === true ? UNREACHABLE : `Meta ad services: ${LEVEL_WORDS[status]}`;
}

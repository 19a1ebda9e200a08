import { SINGLE_KEYS_KEY } from '../../lib/storage-keys.ts';
import { lasting } from '../../lib/storage.ts';

const OFF = 'off';

/** Speech input can press single keys by mistake, so a user can turn them off (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return lasting.read(SINGLE_KEYS_KEY) !== OFF;
}

export function keepSingleKeys(isOn: boolean): void {
  if (isOn) lasting.drop(SINGLE_KEYS_KEY);
  else lasting.write(SINGLE_KEYS_KEY, OFF);
}

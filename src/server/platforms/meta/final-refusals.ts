import type { PlatformFailure } from '#core/platform.ts';

/**
 * Refusals of a write that last, by code and subcode, and where Meta's answer is known from. Any other one may pass.
 * That a campaign was archived or deleted is read, never concluded from a refusal.
 */
const FINAL_REFUSALS = new Map([
  ['100/1487000', 'The campaign has ended: its end date is in the past. Reported by advertisers, 2026'],
]);

export function isFinalRefusal({ code }: PlatformFailure): boolean {
  return FINAL_REFUSALS.has(code ?? '');
}

import { figure } from '../labels.ts';
import { clockTime } from '../new-york.ts';
import type { DeliveryEvidence, Direction } from './delivery.ts';
import type { SignalEvidence, SourceState } from './fusion.ts';
import { DELIVERY } from './parameters.ts';
import type { DetectionState } from './sequential-test.ts';
import type { CallKind } from './votes.ts';

const KIND_WORDS: Record<CallKind, string> = {
  campaigns: 'reading campaigns',
  log: 'reading the activity log',
  writes: 'changing campaigns',
  spend: 'reading spend',
};

const DIRECTION_WORDS: Record<Direction, string> = {
  low: `spend less than ${100 * DELIVERY.low}% of what is usual`,
  high: 'have at least twice the usual spend or CPM',
};

/** 'Since 1:32 AM EST, reading campaigns and changing campaigns fail for 7 of 40 businesses.' */
export function evidenceText(
  source: SourceState['source'],
  state: DetectionState,
  evidence: SignalEvidence,
): string {
  if (state === 'UNKNOWN') return 'Hosts outside Meta don’t answer either: the fault is in our own network.';
  if ('direction' in evidence) return deliveryText(evidence);
  if (!('kinds' in evidence)) return 'Calls to Meta failed.';
  const { kinds, businesses, ofBusinesses } = evidence;
  const calls = `Since ${clockTime(evidence.since)}, ${listOf(kinds.map((kind) => KIND_WORDS[kind]))}`;
  const fails = kinds.length === 1 ? 'fails' : 'fail';
  if (source === 'canary') return `${calls} ${fails} on SmartPause’s own ad account.`;
  const all = ofBusinesses === 1 ? '1 business' : `${figure(ofBusinesses)} businesses`;
  return `${calls} ${fails} for ${figure(businesses)} of ${all}.`;
}

/** 'Since 1:32 AM EST, 9 of 24 ad accounts spend less than 30% of what is usual. They belong to 6 businesses.' */
function deliveryText(evidence: DeliveryEvidence | Record<string, never>): string {
  const { since, accounts, ofAccounts, direction, businesses } = evidence;
  const all = `${figure(accounts)} of ${figure(ofAccounts)} ad accounts`;
  return `Since ${clockTime(since)}, ${all} ${DIRECTION_WORDS[direction]}. They belong to ${figure(businesses)} businesses.`;
}

/** 'reading spend and changing campaigns' */
function listOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1) ?? 'calls'].filter((part) => part !== '').join(' and ');
}

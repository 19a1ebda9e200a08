import { figure } from '../labels.ts';
import { clockTime } from '../new-york.ts';
import type { SourceState } from './fusion.ts';
import type { CallEvidence } from './panels.ts';
import type { DetectionState } from './sequential-test.ts';
import type { CallKind } from './votes.ts';

const KIND_WORDS: Record<CallKind, string> = {
  campaigns: 'reading campaigns',
  log: 'reading the activity log',
  writes: 'changing campaigns',
  spend: 'reading spend',
};

/** 'Since 1:32 AM EST, reading campaigns and changing campaigns fail for 7 of 40 businesses.' */
export function evidenceText(
  panel: SourceState['source'],
  state: DetectionState,
  evidence: CallEvidence | Record<string, never>,
): string {
  if (state === 'UNKNOWN') return 'Hosts outside Meta don’t answer either: the fault is in our own network.';
  if (!('kinds' in evidence)) return 'Calls to Meta failed.';
  const { kinds, businesses, ofBusinesses } = evidence;
  const calls = `Since ${clockTime(evidence.since)}, ${listOf(kinds.map((kind) => KIND_WORDS[kind]))}`;
  const fails = kinds.length === 1 ? 'fails' : 'fail';
  if (panel === 'canary') return `${calls} ${fails} on SmartPause’s own ad account.`;
  const all = ofBusinesses === 1 ? '1 business' : `${figure(ofBusinesses)} businesses`;
  return `${calls} ${fails} for ${figure(businesses)} of ${all}.`;
}

/** 'reading spend and changing campaigns' */
function listOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1) ?? 'calls'].filter((part) => part !== '').join(' and ');
}

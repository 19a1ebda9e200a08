import type { HoldState, LetGoReason } from './hold.ts';
import type { KnownLevel, Threshold } from './level.ts';
import { DISRUPTION_WORDS, LET_GO_WORDS, unsettledWords } from '../words.ts';

/** Of the level alone: it may be Meta's word or an administrator's. */
export function pausedText(campaign: string, known: KnownLevel, threshold: Threshold): string {
  return `Paused "${campaign}": ${DISRUPTION_WORDS[known]}, your threshold is ${threshold.toLowerCase()}.`;
}

export function resumedText(campaign: string, known: KnownLevel, isLeaving: boolean): string {
  return `Resumed "${campaign}": ${isLeaving ? 'you are leaving SmartPause' : DISRUPTION_WORDS[known]}.`;
}

/** A lost write of ours was carried out after somebody's hand had set the campaign otherwise. */
export function takenBackText(campaign: string, did: 'paused' | 'resumed'): string {
  const [again, late] = did === 'paused' ? ['Paused', 'resume'] : ['Resumed', 'pause'];
  return `${again} "${campaign}" again: Meta carried out an earlier ${late} of ours only after it was ${did} by hand.`;
}

/** @param unsettled whose write nobody can see any more; null: none */
export function letGoText(campaign: string, reason: LetGoReason, unsettled: HoldState | null): string {
  return `Left "${campaign}" alone: ${LET_GO_WORDS[reason]}.${unsettledText(unsettled)}`;
}

export function byHandText(
  person: string,
  campaign: string,
  act: { did: 'paused' | 'resumed'; unsettled: HoldState | null },
): string {
  return `${person} ${act.did} "${campaign}".${unsettledText(act.unsettled)}`;
}

function unsettledText(unsettled: HoldState | null): string {
  return unsettled === null ? '' : ` ${unsettledWords(unsettled)}.`;
}

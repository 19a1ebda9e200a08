import type { LetGoReason } from './hold.ts';
import type { KnownLevel, Threshold } from './level.ts';
import { DISRUPTION_WORDS, LET_GO_WORDS } from '../words.ts';

export function pausedText(campaign: string, known: KnownLevel, threshold: Threshold): string {
  const why = `Meta reports ${DISRUPTION_WORDS[known]}, your threshold is ${threshold.toLowerCase()}`;
  return `Paused "${campaign}": ${why}.`;
}

export function resumedText(campaign: string, known: KnownLevel): string {
  return `Resumed "${campaign}": Meta reports ${DISRUPTION_WORDS[known]}.`;
}

export function letGoText(campaign: string, reason: LetGoReason): string {
  return `Left "${campaign}" alone: ${LET_GO_WORDS[reason]}.`;
}

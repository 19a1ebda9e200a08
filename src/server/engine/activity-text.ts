import type { LetGoReason } from '#core/smartpause/hold.ts';
import type { KnownLevel, Threshold } from '#core/smartpause/level.ts';

const LEVEL_WORDS: Record<KnownLevel, string> = {
  UP: 'no disruptions',
  LOW_DISRUPTION: 'low disruptions',
  MEDIUM_DISRUPTION: 'medium disruptions',
  HIGH_DISRUPTION: 'high disruptions',
};

const LET_GO_WORDS: Record<LetGoReason, string> = {
  smartpause_off: 'SmartPause was turned off; it stays as it is',
  manual_pause: 'you paused it yourself; it stays paused',
  not_needed: 'the disruption was over before Meta had accepted the pause; it was left running',
  paused_outside: 'it was paused in Ads Manager before we could; it stays paused',
  already_active: 'it was already running again',
  resumed_outside: 'it was resumed outside SmartPause; SmartPause is now disabled for it',
  archived: 'it was archived; SmartPause is now disabled for it',
  deleted: 'it no longer exists; SmartPause is now disabled for it',
  access_lost: 'we no longer have access to it',
};

export function pausedText(campaign: string, known: KnownLevel, threshold: Threshold): string {
  const why = `Meta reports ${LEVEL_WORDS[known]}, your threshold is ${threshold.toLowerCase()}`;
  return `Paused "${campaign}": ${why}.`;
}

export function resumedText(campaign: string, known: KnownLevel): string {
  return `Resumed "${campaign}": Meta reports ${LEVEL_WORDS[known]}.`;
}

export function letGoText(campaign: string, reason: LetGoReason): string {
  return `Left "${campaign}" alone: ${LET_GO_WORDS[reason]}.`;
}

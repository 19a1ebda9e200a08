import { pausedText, resumedText, takenBackText } from '#core/smartpause/activity-text.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { StoredHold } from './holds.ts';
import type { Activity } from '../journal.ts';
import type { Person } from '../users/people.ts';

/** What is known when an act turns out to be done. */
export interface SeenDone {
  /** Of the campaign. */
  name: string;
  known: KnownLevel;
  /** Whose hold it is. */
  person: Pick<Person, 'id' | 'threshold' | 'leaving'>;
}

export function aboutHold({ id, accountId, campaignId }: StoredHold, personId: string) {
  return { personId, accountId, campaignId, holdId: id, actor: 'smartpause' } as const;
}

export function pausedAct(hold: StoredHold, { name, known, person }: SeenDone): Activity {
  const pausedFor = hold.pausedFor ?? known;
  return {
    ...aboutHold(hold, person.id),
    type: 'pause',
    event: 'paused',
    message: pausedText(name, pausedFor, person.threshold),
    reason: `${pausedFor} meets ${person.threshold}`,
  };
}

export function resumedAct(hold: StoredHold, { name, known, person }: SeenDone): Activity {
  return {
    ...aboutHold(hold, person.id),
    type: 'resume',
    event: 'resumed',
    message: resumedText(name, known, person.leaving !== null),
    reason: person.leaving === null ? `${known} is below ${person.threshold}` : 'leaving',
  };
}

/** A hand had set the campaign, and our late write undid that. */
export function takenBackAct(hold: StoredHold, { name, person }: SeenDone): Activity {
  const isPaused = hold.state !== 'resuming';
  return {
    ...aboutHold(hold, person.id),
    type: isPaused ? 'pause' : 'resume',
    event: 'taken_back',
    message: takenBackText(name, isPaused ? 'paused' : 'resumed'),
    reason: 'a lost write was carried out late',
  };
}

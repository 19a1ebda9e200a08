import { type SignalRow, type Snapshot, choicesOf } from '../invariants/snapshot.ts';

/** What early warnings say follows from their sources and from what an admin lets them do. */
export function checkWarnings(before: Snapshot, after: Snapshot): string[] {
  const steps = [before, after];
  const open = after.warnings.filter(isEarly).filter(({ until }) => until === null);
  const wrong = open.length > 1 ? ['two early warnings go on'] : [];
  for (const { id, acts, state } of open) {
    if (acts && after.acting_since === null) wrong.push(`early warning ${id} acts, and no admin lets it`);
    if (before.warnings.some((one) => one.id === id)) continue;
    const was = before.warnings.find((one) => isEarly(one) && one.until === null);
    const isGoingOn = was?.state === 'PROBABLE' && steps.some((one) => isSuspected(one, 'delivery'));
    if (!steps.some((one) => isSuspected(one, 'calls')) && !isGoingOn)
      wrong.push(`early warning ${id} began without failing calls`);
    if (state === 'PROBABLE' && !steps.some((one) => isSuspected(one, 'delivery')))
      wrong.push(`early warning ${id} pauses without an unusual delivery`);
  }
  for (const { id, early_warning: choice, lets_pause_since: since, lets_pause_until: until } of after.users)
    if ((choice === 'pause') !== (since !== null && until === null))
      wrong.push(`early warnings pause for user ${id} otherwise than they chose`);
  for (const { id, now, was } of usersIn(before, after))
    for (const { since, until } of was)
      if (until > since && !now.some((one) => one.since <= since && since < one.until))
        wrong.push(`it is forgotten that early warnings paused for user ${id} from ${since}`);
  return wrong;
}

/** When early warnings pause for those who stay, as it was and as it is. */
function usersIn(before: Snapshot, after: Snapshot) {
  return before.users.flatMap((user) => {
    const same = after.users.find(({ id }) => id === user.id);
    return same === undefined ? [] : [{ id: user.id, was: choicesOf(user), now: choicesOf(same) }];
  });
}

function isEarly({ source }: SignalRow): boolean {
  return source === 'early_warning';
}

function isSuspected({ warnings }: Snapshot, source: SignalRow['source']): boolean {
  return warnings.some((one) => one.source === source && one.state === 'SUSPECTED' && one.until === null);
}

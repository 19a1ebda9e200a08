import type { StatusHistory } from '#contract/admin.ts';
import { findReader, listAnswers, listChanges } from '../db/status-answers.ts';
import type { OperationDeps } from './deps.ts';

const ANSWERS_SHOWN = 50;
const CHANGES_SHOWN = 100;

/** Why the status is what it is: what the page answered last, and how it came to that. */
export async function getStatusHistory({ db, clock }: OperationDeps): Promise<StatusHistory> {
  const reader = await findReader(db, clock.now());
  const answers = await listAnswers(db, ANSWERS_SHOWN);
  const changes = await listChanges(db, CHANGES_SHOWN);
  return {
    reader,
    answers: answers.map(({ firstAt, lastAt, services, ...rest }) => ({
      ...rest,
      services: [...services],
      firstAt: new Date(firstAt).toISOString(),
      lastAt: new Date(lastAt).toISOString(),
    })),
    changes: changes.map(({ at, ...rest }) => ({ ...rest, at: new Date(at).toISOString() })),
  };
}

import type { StatusHistory } from '#contract/admin.ts';
import { findReader, listAnswers, listChanges } from '../db/status-answers.ts';
import { together } from '../db/together.ts';
import type { OperationDeps } from './deps.ts';

const ANSWERS_SHOWN = 50;
const CHANGES_SHOWN = 100;

/** Why the status is what it is: what the page answered last, and how it came to that. */
export async function getStatusHistory({ db, clock }: OperationDeps): Promise<StatusHistory> {
  const [reader, answers, changes] = await together(db, [
    (one) => findReader(one, clock.now()),
    (one) => listAnswers(one, ANSWERS_SHOWN),
    (one) => listChanges(one, CHANGES_SHOWN),
  ]);
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

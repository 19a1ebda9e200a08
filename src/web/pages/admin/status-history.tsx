import { Badge, Card, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { StatusHistory as History } from '#contract/admin.ts';
import { relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { hasFailed, useAdminStatus } from '../../admin-queries.ts';
import { useStatusHistory } from '../../admin-questions.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { atTime, checkedWords } from '../../times.ts';
import { useNow } from '../../use-now.ts';
import { directiveWords } from './action-words.ts';
import classes from './admin.module.css';
import { answerTimes, readingWords, saidWords } from './history-words.ts';
import { LoadNotice } from './load-notice.tsx';
import { ShowMore } from './show-more.tsx';
import { StatusBreakdown } from './status-breakdown.tsx';

/** Why the status is what it is: what Meta's page answered last, and how it came to that. */
export function StatusHistory() {
  const status = useAdminStatus();
  const history = useStatusHistory();
  const reload = async () => {
    const results = await Promise.all([status.refetch(), history.refetch()]);
    return results.every(({ isSuccess }) => isSuccess);
  };
  return (
    <>
      <LoadNotice hasFailed={hasFailed(status) || hasFailed(history)} reload={reload} />
      <StatusBreakdown status={status.data} />
      <Part id="answers" title="Last answers of the status page" isLoading={history.data === undefined}>
        {history.data !== undefined && <Answers history={history.data} />}
      </Part>
      <Part id="changes" title="Changes of the status" isLoading={history.data === undefined}>
        {history.data !== undefined && <Changes changes={history.data.changes} />}
      </Part>
    </>
  );
}

interface PartProps {
  id: string;
  title: string;
  isLoading: boolean;
  children: ReactNode;
}

function Part({ id, title, isLoading, children }: PartProps) {
  return (
    <Card component="section" padding={0} aria-labelledby={id} aria-busy={isLoading}>
      <Title order={2} fz="lg" px="lg" pt="lg" pb="sm" id={id}>
        {title}
      </Title>
      {isLoading && (
        <Stack gap="sm" px="lg" pb="lg">
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} h={44} data-testid="history-placeholder" />
          ))}
        </Stack>
      )}
      {children}
    </Card>
  );
}

function Answers({ history: { answers, reader } }: { history: History }) {
  const now = useNow();
  const [shown, more] = useFirstOf(answers, 6);
  const [last] = answers;
  return (
    <>
      <Text fz="sm" c="dimmed" px="lg" pb="sm" className="figures">
        {last === undefined
          ? 'It has not answered yet'
          : `The status page was ${checkedWords(Date.parse(last.lastAt), now)}`}
        {reader === null ? '. No process reads it now.' : `, by the process ${reader.slice(0, 8)}.`}
      </Text>
      <ul className={classes.rows}>
        {shown.map((answer) => (
          <Answer key={answer.id} answer={answer} isNewest={answer === last} now={now} />
        ))}
      </ul>
      {more}
    </>
  );
}

interface AnswerProps {
  answer: History['answers'][number];
  isNewest: boolean;
  now: Instant;
}

function Answer({ answer, isNewest, now }: AnswerProps) {
  const { level, message, services, trouble } = answer;
  return (
    <li className={classes.row}>
      <div className={classes.cell}>
        <StatusMark level={level} />
        <Text fz="sm" mt={2}>
          {message}
        </Text>
      </div>
      <div className={classes.cell}>
        {services.map((one) => (
          <Text key={one.service} fz="sm">
            {one.service}:{' '}
            <Text span inherit c="dimmed">
              {saidWords(one, answer)}
            </Text>
          </Text>
        ))}
        {trouble !== null && (
          <Text fz="sm" c="var(--status-high)">
            {trouble}
          </Text>
        )}
      </div>
      <div className={classes.cell}>
        <Text fz="sm" className="figures">
          {answerTimes(answer, isNewest, now)}
        </Text>
        <Text fz="sm" c="dimmed" className="figures">
          {readingWords(answer)}
        </Text>
      </div>
    </li>
  );
}

function Changes({ changes }: { changes: History['changes'] }) {
  const now = useNow();
  const [shown, more] = useFirstOf(changes, 12);
  if (changes.length === 0) {
    return (
      <Text c="dimmed" ta="center" px="lg" pt="sm" pb="xl">
        The status has never changed
      </Text>
    );
  }
  return (
    <>
      <ul className={classes.rows}>
        {shown.map((change) => {
          const at = Date.parse(change.at);
          return (
            <li key={change.id} className={classes.row}>
              <div className={classes.badges}>
                <StatusMark level={change.effective} />
                {change.directive !== null && <Badge color="orange">{overrideWords(change.directive)}</Badge>}
              </div>
              <div className={classes.cell}>
                <Text fz="sm" c="dimmed">
                  {change.message}
                </Text>
                {change.effective !== change.trueLevel && (
                  <Text fz="sm" c="dimmed">
                    Meta’s page: <StatusMark level={change.trueLevel} />
                  </Text>
                )}
              </div>
              <Text fz="sm" className={`figures ${classes.cell ?? ''}`}>
                <time dateTime={change.at}>{atTime(at, now)}</time>, {relativeTime(at, now)}
              </Text>
            </li>
          );
        })}
      </ul>
      {more}
    </>
  );
}

const FORCED = ['FORCE_UP', 'FORCE_LOW', 'FORCE_MEDIUM', 'FORCE_HIGH'] as const;

/** Also of one that only a newer server knows. */
function overrideWords(directive: string): string {
  const known = FORCED.find((one) => one === directive);
  return known === undefined ? directive : directiveWords(known);
}

/** The first few of them, and all at a wish. */
function useFirstOf<T>(all: readonly T[], few: number): [shown: readonly T[], more: ReactNode] {
  const [showsAll, setShowsAll] = useState(false);
  const more = all.length > few && <ShowMore showsAll={showsAll} count={all.length} onChange={setShowsAll} />;
  return [showsAll ? all : all.slice(0, few), more];
}

import { Card, Skeleton, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QueueState } from '#contract/admin.ts';
import type { Instant } from '#core/time.ts';
import { durationWords } from '#core/words.ts';
import { hasFailed } from '../../admin-queries.ts';
import { useQueue } from '../../admin-questions.ts';
import { atTime, timeUntil } from '../../times.ts';
import { useNow } from '../../use-now.ts';
import classes from './admin.module.css';
import { LoadNotice } from './load-notice.tsx';
import { cappedCount } from './stuck-words.ts';

const JOB_WORDS: Record<string, string> = {
  leaving: 'Leaving people',
  tokens: 'Tokens to ask Meta about',
  readings: 'Subscriptions to read at Stripe',
};

/** What waits to be done, what is being done, and by which process. */
export function Queue() {
  const queue = useQueue();
  const now = useNow();
  return (
    <>
      <LoadNotice hasFailed={hasFailed(queue)} reload={async () => (await queue.refetch()).isSuccess} />
      <Counts queue={queue.data} now={now} />
      <div className={classes.columns}>
        <Part id="workers" title="Being worked on" queue={queue.data}>
          {({ workers }) => (
            <Facts
              none="No ad account is being worked on."
              facts={workers.map(({ name, count, until }) => [
                `Process ${name.slice(0, 8)}`,
                `${cappedCount(count)}, the first lease ends ${timeUntil(Date.parse(until), now)}`,
              ])}
            />
          )}
        </Part>
        <Part id="next" title="Next to be looked at" queue={queue.data}>
          {({ waiting }) => (
            <Facts
              none="No ad account is planned for later."
              facts={waiting.next.map(({ accountId, at }) => [accountId, timeUntil(Date.parse(at), now)])}
            />
          )}
        </Part>
        <Part id="outbox" title="Outbox" queue={queue.data}>
          {({ mails }) => (
            <Facts
              none=""
              facts={[
                ['Being written', lineWords(mails.open, now)],
                ['Due now', lineWords(mails.due, now)],
                ['Being sent', lineWords(mails.beingSent, now)],
                ['Waiting for the next try', lineWords(mails.waiting, now)],
              ]}
            />
          )}
        </Part>
        <Part id="jobs" title="Jobs" queue={queue.data}>
          {({ jobs }) => (
            <Facts
              none=""
              facts={jobs.map(({ job, due, oldestAt, nextAt }) => [
                JOB_WORDS[job] ?? job,
                due > 0
                  ? lineWords({ count: due, oldestAt }, now, ' due')
                  : nextAt === null
                    ? 'None'
                    : `None due, the next ${timeUntil(Date.parse(nextAt), now)}`,
              ])}
            />
          )}
        </Part>
      </div>
    </>
  );
}

function Counts({ queue, now }: { queue: QueueState | undefined; now: Instant }) {
  const oldest = queue?.due.oldestAt ?? null;
  const until = queue?.blocked.until ?? null;
  const counts: [label: string, count: number | undefined, hint: string][] = [
    [
      'Due now',
      queue?.due.count,
      oldest === null ? 'Nothing waits' : `The oldest for ${waited(oldest, now)}`,
    ],
    ['Being worked on', queue?.workers.reduce((sum, { count }) => sum + count, 0), 'Taken by a process'],
    ['Waiting', queue?.waiting.count, 'To be looked at later'],
    [
      'Blocked',
      queue?.blocked.count,
      until === null ? 'By Meta’s limits' : `The first until ${atTime(Date.parse(until), now)}`,
    ],
  ];
  return (
    <Card component="section" aria-labelledby="lanes" aria-busy={queue === undefined}>
      <Title order={2} fz="lg" mb="sm" id="lanes">
        Ad accounts in the queue
      </Title>
      <dl className={classes.lanes}>
        {counts.map(([label, count, hint]) => (
          <div key={label}>
            <Text component="dt" fz="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" fz={24} fw={650} lh={1.3} m={0} className="figures">
              {count === undefined ? (
                <Skeleton h={26} w={56} my={3} data-testid="queue-placeholder" />
              ) : (
                cappedCount(count)
              )}
            </Text>
            <Text component="dd" fz="xs" c="dimmed" m={0} className="figures">
              {hint}
            </Text>
          </div>
        ))}
      </dl>
    </Card>
  );
}

interface PartProps {
  id: string;
  title: string;
  queue: QueueState | undefined;
  children: (queue: QueueState) => ReactNode;
}

function Part({ id, title, queue, children }: PartProps) {
  return (
    <Card component="section" aria-labelledby={id} aria-busy={queue === undefined}>
      <Title order={2} fz="lg" mb="sm" id={id}>
        {title}
      </Title>
      {queue === undefined ? <Skeleton h={66} /> : children(queue)}
    </Card>
  );
}

function Facts({ facts, none }: { facts: readonly [name: string, value: string][]; none: string }) {
  if (facts.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <dl className={`${classes.facts ?? ''} figures`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** '12 due, the oldest for 4 min'. */
function lineWords({ count, oldestAt }: QueueState['due'], now: Instant, what = ''): string {
  if (count === 0) return 'None';
  const many = `${cappedCount(count)}${what}`;
  return oldestAt === null ? many : `${many}, the oldest for ${waited(oldestAt, now)}`;
}

function waited(since: string, now: Instant): string {
  return durationWords(Math.max(0, now - Date.parse(since)));
}

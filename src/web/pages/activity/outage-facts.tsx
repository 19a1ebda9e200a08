import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OutageSummary } from '#contract/outage-api.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { exactDuration, exactTime, spanOf } from '../../text/exact-times.ts';
import { outageResult } from '../../text/outage-copy.ts';
import classes from './activity.module.css';
import { Figures } from './figures.tsx';

const THRESHOLD_WORDS = { LOW: 'Low or worse', MEDIUM: 'Medium or worse', HIGH: 'High' };

export function OutageFacts({ outage }: { outage: OutageSummary }) {
  const { startedAt, endedAt, peak, components, quotes, threshold, matchedAt } = outage;
  const start = Date.parse(startedAt);
  const end = endedAt === null ? null : Date.parse(endedAt);
  const facts: [label: string, value: ReactNode][] = [
    ['Peak level', <StatusMark key="peak" level={peak} />],
    [
      'When',
      <Time key="when" at={start}>
        {spanOf(start, end)}
      </Time>,
    ],
    ['Duration', end === null ? 'Not over yet' : exactDuration(end - start)],
    ...(threshold === null ? [] : [['Your threshold', THRESHOLD_WORDS[threshold]] as [string, ReactNode]]),
    ...(threshold === null ? [] : [['Threshold met', met(matchedAt, start)] as [string, ReactNode]]),
    ...(components.length === 0 ? [] : [['Components', components.join(', ')] as [string, ReactNode]]),
    ...(quotes.length === 0
      ? []
      : [['In Meta’s words', quotes.map((quote) => `“${quote}”`).join(', ')] as [string, ReactNode]]),
  ];
  return (
    <Card component="section" aria-label="What happened">
      <Text fw={600}>{outageResult(outage)}</Text>
      {outage.counts.paused > 0 && (
        <div className={classes.wideFigures}>
          <Figures counts={outage.counts} lastPauseAfterMs={outage.lastPauseAfterMs} />
        </div>
      )}
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function met(matchedAt: string | null, start: number): ReactNode {
  if (matchedAt === null) return 'No';
  const at = Date.parse(matchedAt);
  return <Time at={at}>{`${exactTime(at, start)} EST`}</Time>;
}

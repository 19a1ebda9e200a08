import { Anchor, Card, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KnownLevel } from '#core/smartpause/level.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../../campaigns/campaign-badges.tsx';
import { StatusShape } from '../../status/status-mark.tsx';
import classes from './outage-evening.module.css';
import { Muted } from '../../../components/muted.ts';

/** From 8 PM to midnight; the x position of an element is its minute. */
const EVENING_MINUTES = 240;
/** The incident of January 8, 2026. Advertisers noticed between minutes 30 and 45. */
const NOTICED_AT = 45;
const HIGH_AT = 70;
const OVER_AT = 188;
const RESUMED_AT = 193;

const SOURCE = 'https://adstatus.app/blog/meta-outage-january-8-2026';

const LEVELS: { level: KnownLevel; from: number; to: number }[] = [
  { level: 'UP', from: 0, to: HIGH_AT },
  { level: 'HIGH_DISRUPTION', from: HIGH_AT, to: OVER_AT },
  { level: 'UP', from: OVER_AT, to: EVENING_MINUTES },
];

/** Drawn spend by minute. SVG counts y downwards: 100 is zero. */
const BEFORE = `M0 60C14 56 28 62 ${NOTICED_AT} 58S60 56 ${HIGH_AT} 54`;
const WITHOUT = `${BEFORE}S110 44 128 48S168 40 ${OVER_AT} 42S199 9 208 8S226 50 240 55`;
const WITH = `${BEFORE}V100H${RESUMED_AT}V60C205 56 220 61 240 57`;

const EVENTS: { time: string; level: KnownLevel; what: string; then: string }[] = [
  {
    time: '8:30–8:45 PM',
    level: 'UP',
    what: 'Advertisers notice delivery problems',
    then: 'Meta’s status page still shows no disruption, so nothing is paused yet.',
  },
  {
    time: '9:10 PM',
    level: 'HIGH_DISRUPTION',
    what: 'Meta reports a high disruption',
    then: 'SmartPause pauses your campaigns and emails you. Without it, they keep spending.',
  },
  {
    time: '11:08 PM',
    level: 'UP',
    what: 'Meta reports recovery',
    then: 'Your 5-minute delay starts. Without SmartPause, spend spikes as Meta catches up.',
  },
  {
    time: '11:13 PM',
    level: 'UP',
    what: 'The same campaigns run again',
    then: 'They’re back as you left them, and you get an email.',
  },
];

const LABEL =
  'Timeline of the Meta outage on January 8, 2026. Meta’s status page shows a high disruption from 9:10 PM to 11:08 PM EST. ' +
  'Without SmartPause, spend continues during the outage and spikes after it. With SmartPause, it stops from 9:10 PM to 11:13 PM EST, then continues as before.';

/** A real incident with and without the product, as a picture and as text. */
export function OutageEvening() {
  return (
    <Card component="figure" padding={0} className={classes.figure ?? ''}>
      <div className={classes.picture} role="img" aria-label={LABEL}>
        <Row title="Meta’s status page">
          <Levels />
        </Row>
        <Row title="Spend without SmartPause">
          <Spend line={WITHOUT} wastedUntil={232} isWithout />
        </Row>
        <Row title="Spend with SmartPause">
          <Spend line={WITH} wastedUntil={HIGH_AT} />
          <Badges />
        </Row>
        <TimeAxis />
      </div>
      <EveningInCopy />
    </Card>
  );
}

function Levels() {
  return (
    <div className={classes.levels}>
      {LEVELS.map(({ level, from, to }) => (
        <div key={from} className={classes.level} data-level={level} style={{ width: share(to - from) }}>
          <StatusShape level={level} />
          <LevelCopy level={level} />
        </div>
      ))}
    </div>
  );
}

function Badges() {
  return (
    <div className={classes.badges}>
      <span style={{ left: share(NOTICED_AT / 2) }} data-narrow="hidden">
        <CampaignStatusBadge status="ACTIVE" />
      </span>
      <span style={{ left: share((HIGH_AT + RESUMED_AT) / 2) }}>
        <CampaignStatusBadge status="PAUSED" />
        <span data-narrow="hidden">
          <SmartPauseActiveBadge />
        </span>
      </span>
      <span style={{ left: share((RESUMED_AT + EVENING_MINUTES) / 2) }} data-narrow="hidden">
        <CampaignStatusBadge status="ACTIVE" />
      </span>
    </div>
  );
}

function EveningInCopy() {
  return (
    <figcaption className={classes.words}>
      <Title order={3} fz="md">
        The outage of January 8, 2026, replayed
      </Title>
      <ol className={classes.events}>
        {EVENTS.map(({ time, level, what, then }) => (
          <li key={time}>
            <span className={classes.time}>
              <StatusShape level={level} />
              <time>{time} EST</time>
            </span>
            <Text fw={600}>{what}</Text>
            <Muted lh={1.5}>{then}</Muted>
          </li>
        ))}
      </ol>
      <Muted mt="md">
        Outage times:{' '}
        <Anchor href={SOURCE} inherit underline="always">
          adstatus.app
        </Anchor>
        , confidence high. SmartPause’s actions and the spend curves are an example; red marks wasted spend.
        Every outage is different.
      </Muted>
    </figcaption>
  );
}

/** Narrow screens hide the second word. */
function LevelCopy({ level }: { level: KnownLevel }) {
  const [first = '', ...rest] = LEVEL_WORDS[level].split(' ');
  return (
    <span>
      {first}
      <span data-narrow="hidden"> {rest.join(' ')}</span>
    </span>
  );
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <div className={classes.rowTitle}>{title}</div>
      <div className={classes.track}>{children}</div>
    </div>
  );
}

interface SpendProps {
  line: string;
  /** Spend from the first problems until this minute is marked as wasted. */
  wastedUntil: number;
  isWithout?: boolean;
}

function Spend({ line, wastedUntil, isWithout = false }: SpendProps) {
  const area = `${line}V100H0Z`;
  const clip = `wasted-${wastedUntil}`;
  return (
    <svg
      viewBox={`0 0 ${EVENING_MINUTES} 100`}
      preserveAspectRatio="none"
      className={classes.spend}
      data-without={isWithout || undefined}
    >
      <path d={area} className={classes.area} />
      <clipPath id={clip}>
        <path d={`M${NOTICED_AT} 0H${wastedUntil}V100H${NOTICED_AT}Z`} />
      </clipPath>
      <path d={area} clipPath={`url(#${clip})`} className={classes.wasted} />
      <path d={line} className={classes.curve} vectorEffect="non-scaling-stroke" />
      <path d={`M0 100H${EVENING_MINUTES}`} className={classes.ground} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function TimeAxis() {
  return (
    <div className={classes.axis}>
      <span style={{ left: 0 }}>8 PM</span>
      <span style={{ left: share(HIGH_AT) }} data-strong>
        9:10
      </span>
      <span style={{ left: share(OVER_AT) }} data-strong>
        11:08
      </span>
      <span style={{ right: 0 }}>
        <span data-narrow="hidden">12 AM </span>EST
      </span>
    </div>
  );
}

function share(minutes: number): string {
  return `${(100 * minutes) / EVENING_MINUTES}%`;
}

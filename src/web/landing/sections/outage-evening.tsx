import { Card, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KnownLevel } from '#core/smartpause/level.ts';
import { LEVEL_WORDS } from '#core/words.ts';
import { CampaignStatusBadge, SmartPauseActiveBadge } from '../../components/campaign-badges.tsx';
import { StatusShape } from '../../components/status-mark.tsx';
import classes from './outage-evening.module.css';

/** From 8 PM to midnight; everything below is placed by its minute. */
const EVENING_MINUTES = 240;
const LOW_AT = 40;
const HIGH_AT = 70;
const OVER_AT = 165;
const RESUMED_AT = 170;

const LEVELS: { level: KnownLevel; from: number; to: number }[] = [
  { level: 'UP', from: 0, to: LOW_AT },
  { level: 'LOW_DISRUPTION', from: LOW_AT, to: HIGH_AT },
  { level: 'HIGH_DISRUPTION', from: HIGH_AT, to: OVER_AT },
  { level: 'UP', from: OVER_AT, to: EVENING_MINUTES },
];

/** Spend by the minute, upside down as SVG counts: 100 is nothing. */
const WITHOUT = `M0 60C14 56 28 62 ${LOW_AT} 58S60 56 ${HIGH_AT} 54S96 44 112 48S146 40 ${OVER_AT} 42S178 9 190 8S212 50 240 55`;
const WITH = `M0 60C14 56 28 62 ${LOW_AT} 58S60 58 ${HIGH_AT} 58V100H${RESUMED_AT}V60C188 56 208 61 240 57`;

const EVENTS: { time: string; level: KnownLevel; what: string; then: string }[] = [
  {
    time: '8:40 PM',
    level: 'LOW_DISRUPTION',
    what: 'A low disruption begins',
    then: 'Below the threshold chosen here, so nothing is paused.',
  },
  {
    time: '9:10 PM',
    level: 'HIGH_DISRUPTION',
    what: 'It becomes a high disruption',
    then: 'SmartPause pauses the campaigns and writes an email. Without it, spend goes on.',
  },
  {
    time: '10:45 PM',
    level: 'UP',
    what: 'Meta has recovered',
    then: 'Without SmartPause, spend leaps to catch up. With it, the delay chosen here begins: 5 minutes.',
  },
  {
    time: '10:50 PM',
    level: 'UP',
    what: 'Exactly those campaigns run again',
    then: 'As they were before, and an email says so.',
  },
];

const LABEL =
  'One evening on a time line. Meta is up until 8:40 PM, then has a low and from 9:10 PM to 10:45 PM a high disruption. ' +
  'Without SmartPause spend goes on during the disruption and leaps afterwards; with SmartPause it is nothing from 9:10 PM to 10:50 PM and as before after that.';

/** What the product does: one evening with and without it as a picture, and the same in words. */
export function OutageEvening() {
  return (
    <Card component="figure" padding={0} className={classes.figure ?? ''}>
      <div className={classes.picture} role="img" aria-label={LABEL}>
        <Lane title="Meta’s ad services">
          <Levels />
        </Lane>
        <Lane title="Spend without SmartPause">
          <Spend line={WITHOUT} wasted />
        </Lane>
        <Lane title="Spend with SmartPause">
          <Spend line={WITH} />
          <Badges />
        </Lane>
        <TimeAxis />
      </div>
      <EveningInWords />
    </Card>
  );
}

function Levels() {
  return (
    <div className={classes.levels}>
      {LEVELS.map(({ level, from, to }) => (
        <div key={from} className={classes.level} data-level={level} style={{ width: share(to - from) }}>
          <StatusShape level={level} />
          <LevelWords level={level} />
        </div>
      ))}
    </div>
  );
}

function Badges() {
  return (
    <div className={classes.badges}>
      <span style={{ left: share(HIGH_AT / 2) }} data-narrow="hidden">
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

function EveningInWords() {
  return (
    <figcaption className={classes.words}>
      <Title order={3} fz="md">
        The same evening, in words
      </Title>
      <ol className={classes.events}>
        {EVENTS.map(({ time, level, what, then }) => (
          <li key={time}>
            <span className={classes.time}>
              <StatusShape level={level} />
              <time>{time} EST</time>
            </span>
            <Text fw={600}>{what}</Text>
            <Text fz="sm" c="dimmed" lh={1.5}>
              {then}
            </Text>
          </li>
        ))}
      </ol>
      <Text fz="sm" c="dimmed" mt="md">
        An example: the curves are drawn, not measured. How an outage goes differs each time.
      </Text>
    </figcaption>
  );
}

/** Where there is little room, the second word goes first. */
function LevelWords({ level }: { level: KnownLevel }) {
  const [first = '', ...rest] = LEVEL_WORDS[level].split(' ');
  return (
    <span>
      {first}
      <span data-narrow="hidden"> {rest.join(' ')}</span>
    </span>
  );
}

function Lane({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <div className={classes.laneTitle}>{title}</div>
      <div className={classes.track}>{children}</div>
    </div>
  );
}

/** @param wasted whether what was spent while delivery was broken, and in the rush after it, is marked */
function Spend({ line, wasted = false }: { line: string; wasted?: boolean }) {
  const area = `${line}V100H0Z`;
  return (
    <svg
      viewBox={`0 0 ${EVENING_MINUTES} 100`}
      preserveAspectRatio="none"
      className={classes.spend}
      data-wasted={wasted || undefined}
    >
      <path d={area} className={classes.area} />
      {wasted && (
        <>
          <clipPath id="wasted">
            <path d={`M${HIGH_AT} 0H225V100H${HIGH_AT}Z`} />
          </clipPath>
          <path d={area} clipPath="url(#wasted)" className={classes.wasted} />
        </>
      )}
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
        10:45
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

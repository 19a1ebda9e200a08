import { Anchor, Card, Text, Title } from '@mantine/core';
import { LEVEL_WORDS } from '#core/labels.ts';
import { Muted } from '../../../components/muted.ts';
import { CampaignStatusBadge } from '../../campaigns/campaign-badges.tsx';
import { StatusShape } from '../../status/status-mark.tsx';
import classes from './outage-evening.module.css';

// The incident of January 8, 2026, from 8 PM to midnight; the x position of an element is its minute.
const MINUTES = 240;
const [NOTICED_AT, HIGH_AT, OVER_AT, RESUMED_AT] = [45, 70, 188, 193];
const SOURCE = 'https://adstatus.app/blog/meta-outage-january-8-2026';

const LEVELS = [
  { level: 'UP', minutes: HIGH_AT },
  { level: 'HIGH_DISRUPTION', minutes: OVER_AT - HIGH_AT },
  { level: 'UP', minutes: MINUTES - OVER_AT },
] as const;

/** Drawn spend by minute. SVG counts y downwards: 100 is zero. */
const BEFORE = `M0 60C14 56 28 62 ${NOTICED_AT} 58S60 56 ${HIGH_AT} 54`;
const WITHOUT = `${BEFORE}S110 44 128 48S168 40 ${OVER_AT} 42S199 9 208 8S226 50 240 55`;
const WITH = `${BEFORE}V100H${RESUMED_AT}V60C205 56 220 61 240 57`;

const EVENTS = [
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
] as const;

const LABEL =
  'Timeline of the Meta outage on January 8, 2026. Meta’s status page shows a high disruption from 9:10 PM to 11:08 PM EST. ' +
  'Without SmartPause, spend continues during the outage and spikes after it. With SmartPause, it stops from 9:10 PM to 11:13 PM EST, then continues as before.';

/** A real incident with and without the product, as a picture and as text. */
export function OutageEvening() {
  return (
    <Card component="figure" padding={0} className={classes.figure ?? ''}>
      <div className={classes.picture} role="img" aria-label={LABEL}>
        <b>Meta’s status page</b>
        <div className={classes.levels}>
          {LEVELS.map(({ level, minutes }, index) => (
            <div key={index} className={classes.level} data-level={level} style={{ width: share(minutes) }}>
              <StatusShape level={level} />
              {LEVEL_WORDS[level]}
            </div>
          ))}
        </div>
        <b>Spend without SmartPause</b>
        <Spend line={WITHOUT} wastedUntil={232} color="var(--mantine-color-dimmed)" />
        <b>Spend with SmartPause</b>
        <div className={classes.track}>
          <Spend line={WITH} wastedUntil={HIGH_AT} color="var(--mantine-primary-color-filled)" />
          <span className={classes.paused} style={{ left: share((HIGH_AT + RESUMED_AT) / 2) }}>
            <CampaignStatusBadge status="PAUSED" />
          </span>
        </div>
        {/* Labels in HTML keep their size where the picture is small. */}
        <div className={classes.axis}>
          <span>8 PM</span>
          <b style={{ left: share(HIGH_AT) }}>9:10</b>
          <b style={{ left: share(OVER_AT) }}>11:08</b>
          <span>EST</span>
        </div>
      </div>
      <figcaption className={classes.words}>
        <Title order={3} fz="md">
          The outage of January 8, 2026, replayed
        </Title>
        <ol>
          {EVENTS.map(({ time, level, what, then }) => (
            <li key={time}>
              <Muted>
                <StatusShape level={level} /> <time>{time} EST</time>
              </Muted>
              <Text fw={600}>{what}</Text>
              <Muted lh={1.5}>{then}</Muted>
            </li>
          ))}
        </ol>
        <Muted>
          Outage times:{' '}
          <Anchor href={SOURCE} inherit underline="always">
            adstatus.app
          </Anchor>
          , confidence high. SmartPause’s actions and the spend curves are an example; red marks wasted spend.
          Every outage is different.
        </Muted>
      </figcaption>
    </Card>
  );
}

interface SpendProps {
  line: string;
  /** Spend from the first problems until this minute is marked as wasted. */
  wastedUntil: number;
  color: string;
}

function Spend({ line, wastedUntil, color }: SpendProps) {
  const area = `${line}V100H0Z`;
  const clip = `wasted-${wastedUntil}`;
  return (
    <svg viewBox={`0 0 ${MINUTES} 100`} preserveAspectRatio="none" className={classes.spend}>
      <clipPath id={clip}>
        <path d={`M${NOTICED_AT} 0H${wastedUntil}V100H${NOTICED_AT}Z`} />
      </clipPath>
      <path d={area} fill={color} opacity="0.12" />
      <path d={area} fill="var(--status-high)" opacity="0.24" clipPath={`url(#${clip})`} />
      <path d={line} stroke={color} strokeWidth="2.5" fill="none" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function share(minutes: number): string {
  return `${(100 * minutes) / MINUTES}%`;
}

import { Text, Title } from '@mantine/core';
import type { OutageSummary } from '#contract/outage-api.ts';
import { Muted } from '../../components/muted.ts';
import { TextLink } from '../../components/links.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { exactDuration, spanOf } from '../../text/exact-times.ts';
import { outageResult } from '../../text/outage-copy.ts';
import classes from './activity.module.css';
import { Figures } from './figures.tsx';

/** One outage in the list. @param props.search the filter, which stays on the outage's page */
export function OutageItem({ outage, search }: { outage: OutageSummary; search: string }) {
  const { id, startedAt, endedAt, peak, counts, lastPauseAfterMs } = outage;
  const start = Date.parse(startedAt);
  const end = endedAt === null ? null : Date.parse(endedAt);
  return (
    <li className={classes.outage}>
      <div>
        <Title order={2} fz="md">
          <TextLink
            to={{ pathname: `/activity/${id}`, search }}
            underline="hover"
            c="inherit"
            className={classes.wholeRow}
          >
            <Time at={start}>{spanOf(start, end)}</Time>
          </TextLink>
        </Title>
        <Text component="div" fz="sm" mt={4} className={classes.level}>
          <StatusMark level={peak} />
          <Muted span>{end === null ? 'Not over yet' : `Lasted ${exactDuration(end - start)}`}</Muted>
        </Text>
        <Said {...outage} />
      </div>
      {counts.paused === 0 ? (
        <Text fz="sm">{outageResult(outage)}</Text>
      ) : (
        <Figures counts={counts} lastPauseAfterMs={lastPauseAfterMs} />
      )}
    </li>
  );
}

/** The components and Meta's own words, as far as they are recorded. */
function Said({ components, quotes }: Pick<OutageSummary, 'components' | 'quotes'>) {
  if (components.length + quotes.length === 0) return null;
  return (
    <Muted mt={4} style={{ overflowWrap: 'anywhere' }}>
      {[components.join(', '), ...quotes.map((quote) => `Meta: “${quote}”`)]
        .filter((part) => part !== '')
        .join(' · ')}
    </Muted>
  );
}

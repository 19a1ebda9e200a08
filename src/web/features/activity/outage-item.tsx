import { Box, Group, Text, Title } from '@mantine/core';
import type { OutageSummary } from '#contract/outage-api.ts';
import { Facts } from '../../components/facts.tsx';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { StatusMark } from '../status/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { exactDuration, spanOf } from '../../lib/exact-times.ts';
import { outageResult } from './outage-copy.ts';
import classes from './activity.module.css';
import { SET_BY_TEAM, figuresOf } from './outage-facts.tsx';

/** One outage in the list. @param props.search the filter, which stays on the outage's page */
export function OutageItem({ outage, search }: { outage: OutageSummary; search: string }) {
  const { id, startedAt, endedAt, peak, counts, isOverridden, components, quotes } = outage;
  const start = Date.parse(startedAt);
  const end = endedAt === null ? null : Date.parse(endedAt);
  const said = [
    isOverridden === true ? `${SET_BY_TEAM} set the level` : '',
    components.join(', '),
    ...quotes.map((quote) => `Meta: “${quote}”`),
  ].filter((part) => part !== '');
  return (
    <Group component="li" gap="sm">
      <Box flex="1 1 340px">
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
        <Group gap="sm" mt={4} fz="sm">
          <StatusMark level={peak} />
          <Muted span>{end === null ? 'Not over yet' : `Lasted ${exactDuration(end - start)}`}</Muted>
        </Group>
        {said.length > 0 && <Muted mt={4}>{said.join(' · ')}</Muted>}
      </Box>
      <Box flex="1 1 340px">
        {counts.paused === 0 ? (
          <Text fz="sm">{outageResult(outage)}</Text>
        ) : (
          <Facts facts={figuresOf(outage)} width={100} />
        )}
      </Box>
    </Group>
  );
}

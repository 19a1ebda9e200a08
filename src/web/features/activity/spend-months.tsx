import { Table } from '@mantine/core';
import { durationLabel, figure } from '#core/labels.ts';
import { monthLabel } from '#core/new-york.ts';
import { Muted } from '../../components/muted.ts';
import { SectionCard } from '../../components/section-card.tsx';
import classes from '../../components/spend.module.css';
import { useActivityFilter } from './activity-filter.tsx';
import { useSpendMonths } from './api.ts';
import { keptInMonth } from '../../components/spend-copy.ts';

/** What the outages of each month kept, of all ad accounts together. */
export function SpendMonths() {
  const { data } = useSpendMonths();
  const months = data?.months ?? [];
  const isFiltered = useActivityFilter().filter.account !== undefined;
  if (months.length === 0 || isFiltered) return null;
  return (
    <SectionCard id="months" title="Kept by month, estimated">
      <Table aria-labelledby="months-title" horizontalSpacing={4} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Month</Table.Th>
            <Table.Th className={classes.amount}>Outages</Table.Th>
            <Table.Th className={classes.amount}>Kept, about</Table.Th>
            <Table.Th>Range</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="figures">
          {months.map((one) => {
            const { about, span, note } = keptInMonth(one);
            return (
              <Table.Tr key={`${one.month} ${one.currency}`}>
                <Table.Th scope="row">
                  {monthLabel(one.month)}
                  <Muted fz="xs">{`${one.currency} · paused ${durationLabel(one.pausedMs)} in total`}</Muted>
                </Table.Th>
                <Table.Td className={classes.amount}>{figure(one.outages)}</Table.Td>
                <Table.Td className={classes.amount} fw={700}>
                  {about}
                </Table.Td>
                <Table.Td>
                  {span}
                  {note !== null && <Muted fz="xs">{note}</Muted>}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      <Muted mt="xs">Sums of each outage’s estimate; the range adds all lows and all highs.</Muted>
    </SectionCard>
  );
}

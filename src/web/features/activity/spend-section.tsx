import { Badge, Group, Stack, Table, Title, VisuallyHidden } from '@mantine/core';
import type { OutageSummary, SpendEstimate } from '#contract/outage-api.ts';
import { Muted } from '../../components/muted.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { useNow } from '../../lib/use-now.ts';
import classes from './activity.module.css';
import { SpendChart } from './spend-chart.tsx';
import { amountsOf, methodCopy, unknownCopy, unknownLabel } from './spend-copy.ts';

interface SpendSectionProps {
  outage: Pick<OutageSummary, 'id' | 'startedAt' | 'endedAt'>;
  /** By currency, which are never added. */
  estimates: readonly SpendEstimate[] | undefined;
  /** The page shows the campaigns of one ad account. */
  isFiltered: boolean;
}

/** What the pauses kept from being spent. */
export function SpendSection({ outage, estimates = [], isFiltered }: SpendSectionProps) {
  if (estimates.length === 0) return null;
  return (
    <SectionCard id="spend" title="Spend, estimated">
      <Stack gap="lg">
        {isFiltered && <Muted>Of all your ad accounts, whatever the filter.</Muted>}
        {estimates.map((estimate) => (
          <div key={estimate.currency}>
            <OfCurrency estimate={estimate} isOne={estimates.length === 1} />
            <SpendChart outage={outage} currency={estimate.currency} />
          </div>
        ))}
      </Stack>
    </SectionCard>
  );
}

function OfCurrency({ estimate, isOne }: { estimate: SpendEstimate; isOne: boolean }) {
  const { currency, inputs } = estimate;
  const unknown = unknownCopy(estimate, useNow());
  const rows = amountsOf(estimate);
  return (
    <div>
      <Group gap="xs" mb={4}>
        {!isOne && (
          <Title order={3} fz="sm">
            {currency}
          </Title>
        )}
        {inputs?.basis === 'budget' && rows.length > 0 && <Badge color="gray">By daily budget</Badge>}
      </Group>
      {rows.length === 0 ? (
        <Muted>{unknown}</Muted>
      ) : (
        <Table
          aria-label={`Spend, estimated, in ${currency}`}
          horizontalSpacing={4}
          className={classes.spend}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{isOne ? currency : <VisuallyHidden>Amount</VisuallyHidden>}</Table.Th>
              <Table.Th>About</Table.Th>
              <Table.Th>Range</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="figures">
            {rows.map(({ name, label, formula, about, span }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">
                  {label}
                  <Muted fz="xs">{formula}</Muted>
                </Table.Th>
                <Table.Td fw={name === 'kept' ? 700 : 500}>{about}</Table.Td>
                <Table.Td>{span ?? '–'}</Table.Td>
              </Table.Tr>
            ))}
            {unknown !== null && (
              <Table.Tr>
                <Table.Th scope="row">{unknownLabel(estimate)}</Table.Th>
                <Table.Td colSpan={2}>{unknown}</Table.Td>
              </Table.Tr>
            )}
          </Table.Tbody>
        </Table>
      )}
      <Muted mt="xs">{methodCopy(estimate).join(' ')}</Muted>
    </div>
  );
}

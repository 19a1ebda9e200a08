import { Table, Title, VisuallyHidden } from '@mantine/core';
import type { SpendEstimate } from '#contract/outage-api.ts';
import { useNow } from '../lib/use-now.ts';
import { Muted } from './muted.ts';
import { amountsOf, methodCopy, unknownCopy, unknownLabel } from './spend-copy.ts';
import classes from './spend.module.css';

interface SpendAmountsProps {
  estimate: SpendEstimate;
  /** There is no other currency. */
  isOne: boolean;
}

/** What the pauses in one currency kept from being spent: about, a range and how it is computed. */
export function SpendAmounts({ estimate, isOne }: SpendAmountsProps) {
  const { currency } = estimate;
  const unknown = unknownCopy(estimate, useNow());
  const rows = amountsOf(estimate);
  return (
    <div>
      {!isOne && (
        <Title order={3} fz="sm" mb={4}>
          {currency}
        </Title>
      )}
      {rows.length === 0 ? (
        <Muted>{unknown}</Muted>
      ) : (
        <Table
          aria-label={`Spend, estimated, in ${currency}`}
          horizontalSpacing={4}
          className={classes.table}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{isOne ? currency : <VisuallyHidden>Amount</VisuallyHidden>}</Table.Th>
              <Table.Th className={classes.amount}>About</Table.Th>
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
                <Table.Td className={classes.amount} fw={name === 'kept' ? 700 : 500}>
                  {about}
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{span ?? '–'}</Table.Td>
              </Table.Tr>
            ))}
            {unknown !== null && (
              <Table.Tr>
                <Table.Td colSpan={3}>
                  {unknownLabel(estimate)}
                  <Muted>{unknown}</Muted>
                </Table.Td>
              </Table.Tr>
            )}
          </Table.Tbody>
        </Table>
      )}
      <Muted mt="xs">{methodCopy(estimate).join(' ')}</Muted>
    </div>
  );
}

import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = readonly [label: string, value: ReactNode];

interface FactsProps {
  facts: readonly Fact[];
  /** The narrowest column in px. */
  width?: number;
}

/** Labels with their values: as many columns as fit, at least two, so lists of the same facts align. */
export function Facts({ facts, width = 200 }: FactsProps) {
  const gridTemplateColumns = `repeat(auto-fill, minmax(min(50% - 8px, ${width}px), 1fr))`;
  return (
    <Box
      component="dl"
      m={0}
      className="figures"
      style={{ display: 'grid', gap: '12px 16px', gridTemplateColumns }}
    >
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" fz="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" fz="sm" m={0} mt={2} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </Box>
  );
}

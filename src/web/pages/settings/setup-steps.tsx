import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted } from '../../components/muted.ts';
import classes from './settings.module.css';

interface StepProps {
  number: number;
  title: string;
  /** Without number and title, for the settings of an account that is set up. */
  isPlain?: boolean;
  children: ReactNode;
}

/** One step of the setup. */
export function Step({ number, title, isPlain = false, children }: StepProps) {
  return (
    <Box {...(!isPlain && { component: 'section', 'aria-label': `Step ${number} of 3: ${title}` })}>
      {!isPlain && (
        <Group gap="sm" mb="md" wrap="nowrap">
          <Text span className={classes.step ?? ''} aria-hidden="true">
            {number}
          </Text>
          <Title order={3} fz="md">
            {title}
          </Title>
        </Group>
      )}
      {children}
    </Box>
  );
}

/** The campaigns are chosen on the dashboard, once the account is set up. */
export function LastStep({ children }: { children: ReactNode }) {
  return (
    <Step number={3} title="Which campaigns">
      <Muted mb="md">You choose them on your dashboard next, one by one or all active ones at once.</Muted>
      {children}
    </Step>
  );
}

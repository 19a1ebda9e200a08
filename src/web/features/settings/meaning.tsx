import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './settings.module.css';

/** The effect of a choice, beside it. */
export function Meaning({ children }: { children: ReactNode }) {
  return (
    <Text fz="sm" px="md" py="xs" className={`figures ${classes.meaning ?? ''}`}>
      {children}
    </Text>
  );
}

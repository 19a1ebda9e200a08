import { Text } from '@mantine/core';
import classes from './settings.module.css';

/** What a choice comes to, in a sentence beside it. */
export function Meaning({ children }: { children: string }) {
  return (
    <Text fz="sm" px="md" py="xs" className={`figures ${classes.meaning ?? ''}`}>
      {children}
    </Text>
  );
}

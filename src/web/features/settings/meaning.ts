import { Text } from '@mantine/core';

/** The effect of a choice, beside it. */
export const Meaning = Text.withProps({
  className: 'figures',
  fz: 'sm',
  px: 'md',
  py: 'xs',
  bg: 'var(--mantine-color-default-hover)',
  style: {
    borderLeft: '3px solid var(--mantine-primary-color-filled)',
    borderRadius: '0 var(--mantine-radius-md) var(--mantine-radius-md) 0',
  },
});

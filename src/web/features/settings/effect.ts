import { Text } from '@mantine/core';

/** The effect of a choice, beside it. */
export const Effect = Text.withProps({
  className: 'figures',
  fz: 'sm',
  px: 'md',
  py: 'xs',
  bdrs: 'md',
  bg: 'var(--mantine-color-default-hover)',
});

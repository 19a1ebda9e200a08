import type { ComponentProps } from 'react';
import classes from './toggle.module.css';

interface ToggleProps extends Omit<ComponentProps<'input'>, 'size'> {
  size?: 'sm' | 'md' | 'lg';
}

/** A switch. A plain element, because each one counts with many rows. */
export function Toggle({ size = 'md', ...rest }: ToggleProps) {
  return <input type="checkbox" role="switch" className={classes.toggle} data-size={size} {...rest} />;
}

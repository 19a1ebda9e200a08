import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { AdminAddress } from './address.ts';
import { adminSearch } from './address.ts';
import classes from './admin.module.css';

export interface PagerProps {
  address: AdminAddress;
  /** Where the next page begins; null: there is none. */
  next: string | null;
}

/** The ways on through a long list. Back is the browser's own. */
export function Pager({ address, next }: PagerProps) {
  if (address.after === undefined && next === null) return null;
  const to = (after: string | undefined) => ({
    pathname: '/admin',
    search: adminSearch({ ...address, after }),
  });
  return (
    <nav aria-label="Pages of the list" className={classes.pager}>
      {address.after !== undefined && (
        <Button component={Link} variant="subtle" size="sm" to={to(undefined)}>
          First page
        </Button>
      )}
      {next !== null && (
        <Button component={Link} variant="subtle" size="sm" ml="auto" to={to(next)}>
          Next page
        </Button>
      )}
    </nav>
  );
}

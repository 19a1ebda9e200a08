import { Button } from '@mantine/core';
import classes from './admin.module.css';

export interface ShowMoreProps {
  showsAll: boolean;
  count: number;
  onChange: (showsAll: boolean) => void;
}

export function ShowMore({ showsAll, count, onChange }: ShowMoreProps) {
  return (
    <div className={classes.more}>
      <Button
        variant="subtle"
        size="sm"
        fullWidth
        aria-expanded={showsAll}
        onClick={() => onChange(!showsAll)}
      >
        {showsAll ? 'Show fewer' : `Show all ${count}`}
      </Button>
    </div>
  );
}

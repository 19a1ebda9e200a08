import type { ReactNode } from 'react';
import classes from './dots.module.css';

/** 'One · two · three' in which no line begins or ends with a dot. */
export function Dots({ parts }: { parts: readonly ReactNode[] }) {
  const shown = parts.filter((part) => part !== null && part !== false && part !== '');
  return (
    <span className={classes.dots}>
      {shown.map((part, index) => (
        <span key={index}>
          <span className={classes.dot}>{index > 0 && ' · '}</span>
          <span>{part}</span>
        </span>
      ))}
    </span>
  );
}

import { LINE } from './line-drawing.ts';

export function Chevron() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path {...LINE} d="m2.5 4.5 3.5 3.5 3.5-3.5" strokeWidth="1.6" />
    </svg>
  );
}

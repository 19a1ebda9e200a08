import { LINE } from './line-drawing.ts';

export function CheckMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" style={{ flex: 'none' }}>
      <path {...LINE} d="m4 9.5 3.4 3.4L14 5.8" stroke="var(--status-up)" strokeWidth="2" />
    </svg>
  );
}

/** Attributes of icons that are drawn as lines. */
export const LINE = {
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

export function CheckMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" style={{ flex: 'none' }}>
      <path {...LINE} d="m4 9.5 3.4 3.4L14 5.8" stroke="var(--status-up)" strokeWidth="2" />
    </svg>
  );
}

export function Magnifier() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path {...LINE} d="M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Zm-1.3 3.2 3.3 3.3" strokeWidth="1.5" />
    </svg>
  );
}

export function Chevron() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path {...LINE} d="m2.5 4.5 3.5 3.5 3.5-3.5" strokeWidth="1.6" />
    </svg>
  );
}

export function LogoMark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-accent-7)" />
      <rect x="9" y="9" width="4.5" height="14" rx="1.5" fill="#fff" />
      <path d="M18 9.9c0-.9 1-1.5 1.8-1L26 14.9c.7.5.7 1.6 0 2.1l-6.2 6c-.8.6-1.8 0-1.8-1z" fill="#fff" />
    </svg>
  );
}

/** A tick before something that is included or done. */
export function CheckMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" style={{ flex: 'none' }}>
      <path
        d="m4 9.5 3.4 3.4L14 5.8"
        fill="none"
        stroke="var(--status-up)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

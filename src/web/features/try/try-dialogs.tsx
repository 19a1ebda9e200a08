/** Loaded with the first press: few visits of the dashboard need them. */
export { DryRunDialog } from './dry-run-dialog.tsx';
export { LiveTestDialog } from './live-test-dialog.tsx';

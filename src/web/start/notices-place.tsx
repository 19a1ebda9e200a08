import '@mantine/notifications/styles.css';
import './notices-place.css';
import { Notifications } from '@mantine/notifications';

/** Renders the notices. Notices shown before it loads are queued. */
export function NoticesPlace() {
  return <Notifications position="top-right" autoClose={8000} zIndex={400} />;
}

import '@mantine/notifications/styles.css';
import './notices-place.css';
import { Notifications } from '@mantine/notifications';

/** Where notices appear. Whatever is said before this is loaded waits for it. */
export function NoticesPlace() {
  return <Notifications position="top-right" autoClose={8000} zIndex={400} />;
}

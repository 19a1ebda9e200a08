import { Navigate, useLocation } from 'react-router';

/** Another address of the home page; its query and fragment stay. */
export function ToHome() {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: '/', search, hash }} replace />;
}

import { Box, Container, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../landing.module.css';

interface SectionProps {
  /** Links lead to it by this. */
  id: string;
  title: string;
  text?: string;
  /** On a ground of its own, so that a long page has parts. */
  raised?: boolean;
  /** The words stand beside what they are about, where there is room. */
  beside?: boolean;
  children: ReactNode;
}

export function Section({ id, title, text, raised = false, beside = false, children }: SectionProps) {
  return (
    <Box
      component="section"
      id={id}
      aria-labelledby={`${id}-title`}
      className={classes.section}
      mod={{ raised }}
    >
      <Container size="lg" className={beside ? (classes.beside ?? '') : ''}>
        <Box maw={680} mb={{ base: 28, sm: 40 }}>
          <Title order={2} id={`${id}-title`} fz={{ base: 26, sm: 34 }} lh={1.2} lts={-0.6}>
            {title}
          </Title>
          {text !== undefined && (
            <Text fz="lg" c="dimmed" mt="sm" lh={1.55}>
              {text}
            </Text>
          )}
        </Box>
        {children}
      </Container>
    </Box>
  );
}

"""One small, complete dual-plane application, a receivables console, that passes every case."""

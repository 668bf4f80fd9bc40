"""What the vectors of the official scripts call the metrics that have another name here."""

IN_VECTORS = {"bac": "balanced_accuracy", "bac_recording_mean": "balanced_accuracy_recording_mean"}
